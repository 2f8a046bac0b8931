import type { Caller } from 'gatehouse-auth/sveltekit'

declare global {
  namespace App {
    interface Locals {
      caller: Caller | null
    }
  }
}
