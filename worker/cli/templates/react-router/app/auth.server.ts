import { gatehouseAuth } from 'gatehouse-auth/react-router'

export const auth = gatehouseAuth({ url: process.env.GATEHOUSE_URL ?? 'http://localhost:8787' })
