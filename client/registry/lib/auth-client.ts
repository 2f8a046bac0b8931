import { organizationClient, twoFactorClient } from 'better-auth/client/plugins'
import { createAuthClient } from 'better-auth/react'

/** The address of the Gatehouse deployment. It trusts the origin of this app with its option `trustedOrigins`. */
export const accounts = 'https://accounts.example.com'

export const auth = createAuthClient({
  baseURL: accounts,
  plugins: [organizationClient(), twoFactorClient()],
})

/** A page of the deployment that leads back to a path of this app. Call it in the browser. */
export function hostedPage(path: string, callbackURL = location.href): string {
  const page = new URL(path, accounts)
  page.searchParams.set('callbackURL', new URL(callbackURL, location.href).href)
  return page.href
}
