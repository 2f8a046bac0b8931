import type { Scope } from '../../identity/scope.ts'
import { oneTapProvider } from './one-tap.ts'

/** The client id is no secret: Google's script shows it to everybody. */
export function publicOneTap(scope: Scope) {
  const configured = oneTapProvider(scope)
  return configured ? { features: { oneTap: true }, oneTap: { clientId: configured.options.clientId } } : {}
}
