export interface Device {
  browser: string | null
  os: string | null
}

/** Parses a user agent: `{ browser: 'Firefox 131', os: 'Linux' }`; null if it names nothing known. */
export async function describeDevice(userAgent: string): Promise<Device | null> {
  if (!userAgent) return null
  const { default: Bowser } = await import('bowser')
  const { browser, os } = Bowser.parse(userAgent)
  if (!browser.name && !os.name) return null
  const version = browser.version?.split('.')[0]
  return {
    browser: browser.name ? [browser.name, version].filter(Boolean).join(' ') : null,
    os: os.name ?? null,
  }
}
