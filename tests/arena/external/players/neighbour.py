ANSWER = "hello from next door"
