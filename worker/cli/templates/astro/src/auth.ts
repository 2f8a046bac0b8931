import { gatehouseAuth } from 'gatehouse-auth/astro'

export const auth = gatehouseAuth({ url: process.env.GATEHOUSE_URL ?? 'http://localhost:8787' })
