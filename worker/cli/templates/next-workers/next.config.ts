import { initOpenNextCloudflareForDev } from '@opennextjs/cloudflare'
import type { NextConfig } from 'next'

const config: NextConfig = {
  // For requireCaller with a role or permissions, in pages.
  experimental: { authInterrupts: true },
}

export default config

// `next dev` gets the bindings of wrangler.toml.
initOpenNextCloudflareForDev()
