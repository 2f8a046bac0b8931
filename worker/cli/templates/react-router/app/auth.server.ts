import { gatehouseAuth } from 'gatehouse-auth/react-router'
import type { Accounts } from '../../src/index'

export const auth = gatehouseAuth<Accounts>({ url: process.env.GATEHOUSE_URL ?? 'http://localhost:8787' })
