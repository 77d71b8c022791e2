"""Pages: function views that gather what a template shows, and nothing else."""
