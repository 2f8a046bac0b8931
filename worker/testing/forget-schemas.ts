import { z } from 'zod'

// Files of a process evaluate the contracts again, and their schemas would have the ids of those of the last file.
z.globalRegistry.clear()
