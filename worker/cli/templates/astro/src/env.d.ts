declare namespace App {
  interface Locals {
    caller: import('gatehouse-auth/astro').Caller | null
  }
}
