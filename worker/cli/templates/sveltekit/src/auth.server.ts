import { error, redirect } from '@sveltejs/kit'
import { gatehouseAuth } from 'gatehouse-auth/sveltekit'
import type { Accounts } from '../../src/index'

export const auth = gatehouseAuth<Accounts>(
  { url: process.env.GATEHOUSE_URL ?? 'http://localhost:8787' },
  { error, redirect },
)
