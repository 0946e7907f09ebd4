# Before the tutorial (docs/tutorial.md): two apps are deployed, and the log of one is written. Its cause is in here.

# Start a Machine of an app, and add its entry to the instance list.
start_machine() {
  fdaa sandbox run "$1" -- sh -c 'echo "instance=$0-1,app=$0,ip=$PLATFORM_PRIVATE_IP,region=sea"' "$1" >> instances.txt
}

fdaa apps create shop --org acme --network customer-17 > deploy.log
fdaa apps create db --org acme --network custmer-17 >> deploy.log
start_machine shop
start_machine db
for minute in 12 13 14; do
  echo "03:$minute:07 connect to fdaa:2:2:a7b::2:2 port 5432 from fdaa:2:1:a7b::1:2 port 40112 failed: Connection timed out"
done > app.log
