"""What a text says of lasting facts: whose words they are, what is asked for, what kind they are. Pure."""
