"""What goes over the wire: requests, answers and the published documents."""
