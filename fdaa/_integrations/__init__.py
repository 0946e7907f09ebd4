"""What other packages load by themselves: Pydantic's schemas, and the entry point of Hypothesis."""
