import { gatehouseAuth } from 'gatehouse-auth/nuxt'

export const auth = gatehouseAuth({ url: process.env.GATEHOUSE_URL ?? 'http://localhost:8787' })
