"""What a body touches: planes, walls, vessels, rails."""
