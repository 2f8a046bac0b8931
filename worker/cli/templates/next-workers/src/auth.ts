import { getCloudflareContext } from '@opennextjs/cloudflare'
import { gatehouseAuth } from 'gatehouse-auth/next'

interface Env {
  GATEHOUSE_URL: string
  GATEHOUSE: object
}

/** Bindings exist in a request only. */
export const auth = gatehouseAuth(() => {
  const env = getCloudflareContext().env as unknown as Env
  return { url: env.GATEHOUSE_URL, binding: env.GATEHOUSE }
})
