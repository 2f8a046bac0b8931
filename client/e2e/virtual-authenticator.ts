import type { CDPSession, Page } from 'playwright-core'

export interface VirtualAuthenticator {
  id: string
  /** The credentials of the authenticator. */
  credentials(): Promise<{ credentialId: string; signCount: number }[]>
  /** Whether user verification succeeds. */
  setUserVerified(verified: boolean): Promise<void>
  /** Whether the user touches it on request. */
  setPresent(present: boolean): Promise<void>
  remove(): Promise<void>
}

interface Options {
  /** `ctap2` can list its keys; `u2f` is an old security key. */
  protocol?: 'ctap2' | 'u2f'
  transport?: 'internal' | 'usb'
  hasUserVerification?: boolean
  isUserVerified?: boolean
}

const sessions = new WeakMap<Page, CDPSession>()

async function debuggerOf(page: Page): Promise<CDPSession> {
  const known = sessions.get(page)
  if (known) return known
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  sessions.set(page, session)
  return session
}

/** Adds an authenticator to a page's browser (Chrome DevTools Protocol, domain WebAuthn). */
export async function plugIn(page: Page, options: Options = {}): Promise<VirtualAuthenticator> {
  const { protocol = 'ctap2', transport = 'internal', hasUserVerification = true, isUserVerified = true } = options
  const session = await debuggerOf(page)
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol,
      transport,
      hasResidentKey: protocol === 'ctap2',
      hasUserVerification,
      isUserVerified,
      automaticPresenceSimulation: true,
    },
  })
  return {
    id: authenticatorId,
    async credentials() {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId })
      return credentials
    },
    setUserVerified: async (isVerified) => {
      await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: isVerified })
    },
    setPresent: async (enabled) => {
      await session.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    },
    remove: async () => {
      await session.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}
