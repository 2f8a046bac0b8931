import { error, redirect } from '@sveltejs/kit'
import { gatehouseAuth } from 'gatehouse-auth/sveltekit'

export const auth = gatehouseAuth({ url: process.env.GATEHOUSE_URL ?? 'http://localhost:8787' }, { error, redirect })
