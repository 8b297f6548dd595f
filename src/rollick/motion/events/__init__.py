"""Events: what is watched for, and how its zeros are found within a step."""
