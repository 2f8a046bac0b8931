// The build that wrangler runs before it deploys or serves this repository (wrangler.toml): writes dist/worker.

import { bundleWorker } from './bundle.ts'

await bundleWorker({
  entry: 'worker/index.ts',
  dir: 'dist/worker',
  // In development, stack traces name functions.
  minify: process.env.NODE_ENV !== 'development',
})
