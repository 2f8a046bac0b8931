/**
 * Whether headers contradict the browser that the user agent names. Browsers built on Chromium send client hints
 * (https://wicg.github.io/ua-client-hints/) to secure origins since version 89, Firefox and Safari send none. All send
 * Fetch Metadata (https://www.w3.org/TR/fetch-metadata/): Firefox since 90, Safari since 16.4. A program that names itself or
 * nothing contradicts nothing.
 */
export function isFalseUserAgent(headers: Pick<Headers, 'get'>, isSecure: boolean): boolean {
  const agent = (headers.get('user-agent') ?? '').slice(0, 512)
  const hints = headers.get('sec-ch-ua')
  const chromium = versionIn(agent, 'Chrome/')
  // Browsers on iOS have the engine of Safari.
  const isWebKit = agent.includes('Version/') && agent.includes('Safari/') && chromium === null
  const firefox = versionIn(agent, 'Firefox/')
  if (hints !== null) {
    if (firefox !== null || isWebKit) return true
    const platform = headers.get('sec-ch-ua-platform')
    return contradictsPlatform(agent, platform) || contradictsVersion(chromium, hints)
  }
  if (!isSecure || headers.get('sec-fetch-site') !== null) return false
  if (chromium !== null) return chromium >= 89
  if (firefox !== null) return firefox >= 90
  return isWebKit && (versionIn(agent, 'Version/') ?? 0) >= 17
}

/** The number after a name: 131 of `Chrome/131.0.0.0`. */
function versionIn(agent: string, name: string): number | null {
  const at = agent.indexOf(name)
  const version = at === -1 ? Number.NaN : Number.parseInt(agent.slice(at + name.length, at + name.length + 5), 10)
  return Number.isNaN(version) ? null : version
}

/** The word of each platform in user agents, by the value of `sec-ch-ua-platform`. */
const platforms: Readonly<Record<string, string>> = {
  '"Windows"': 'Windows',
  '"macOS"': 'Mac OS X',
  '"Android"': 'Android',
  '"Linux"': 'Linux',
  '"Chrome OS"': 'CrOS',
}

function contradictsPlatform(agent: string, platform: string | null): boolean {
  // An app without a desktop site, such as a tablet's, names another platform in its user agent.
  if (platform === null || platform === '"Android"') return false
  const word = Object.hasOwn(platforms, platform) ? platforms[platform]! : null
  return word !== null && agent.startsWith('Mozilla/') && !agent.includes(word)
}

/** `sec-ch-ua` has the version of Chromium beside that of the browser, and a meaningless one. */
const contradictsVersion = (chromium: number | null, hints: string): boolean =>
  chromium !== null && !hints.includes(`v="${chromium}"`) && !hints.includes(`v="${chromium}.`)
