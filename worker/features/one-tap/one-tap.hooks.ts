import type { Scope } from '../../identity/scope.ts'
import { oneTapProvider } from './one-tap.ts'

/** The client id is no secret: Google's script shows it to everybody. */
export function publicOneTap(scope: Scope) {
  const configured = oneTapProvider(scope)
  return configured ? { features: { oneTap: true }, oneTap: { clientId: configured.options.clientId } } : {}
}

/** What Google's script needs (Google Identity Services, content security policy). */
export function oneTapSources(scope: Scope) {
  if (!oneTapProvider(scope)) return {}
  const gsi = 'https://accounts.google.com/gsi/'
  return { script: [`${gsi}client`], style: [`${gsi}style`], connect: [gsi], frame: [gsi] }
}
