"""What fdaa costs beside those who do the same job. `python -m benchmarks` runs it all.

| file            | what it holds                                                            |
|-----------------|--------------------------------------------------------------------------|
| inputs.py       | the texts that everything is measured on                                 |
| values.py       | the jobs done on values, and how each contestant does them               |
| processes.py    | the jobs done by whole processes: import, start, decode                  |
| memory.py       | bytes that a held address takes, and the peak of `fdaa decode`           |
| bare_click.py   | a rival program: how fast a click command can start                      |
| plain_decode.py | a rival program: `decode --json` with the standard library               |
| test_speed.py   | the timing, by pytest-benchmark                                          |
| report.py       | the table of ratios                                                      |
"""
