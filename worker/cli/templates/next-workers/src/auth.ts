import { getCloudflareContext } from '@opennextjs/cloudflare'
import { gatehouseAuth } from 'gatehouse-auth/next'
import type { Accounts } from '../../src/index'

interface Env {
  GATEHOUSE_URL: string
  GATEHOUSE: object
}

/** Bindings exist in a request only. `next dev` runs in Node, where the development server sets the address. */
export const auth = gatehouseAuth<Accounts>(() => {
  const env = getCloudflareContext().env as unknown as Env
  return { url: process.env.GATEHOUSE_URL ?? env.GATEHOUSE_URL, binding: env.GATEHOUSE }
})
