print("not started")
