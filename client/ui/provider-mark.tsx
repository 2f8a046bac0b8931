import { Building2 } from 'lucide-react'
import {
  siApple,
  siCloudflare,
  siDiscord,
  siDropbox,
  siFacebook,
  siGithub,
  siGitlab,
  siGoogle,
  siKick,
  siReddit,
  siRoblox,
  siSpotify,
  siTiktok,
  siTwitch,
  siVk,
  siX,
  siZoom,
} from 'simple-icons'
import { useConfig } from '../lib/api.ts'
import { colourMarks } from '../lib/provider-colours.ts'

// The owners' marks in one colour (lib/provider-colours.ts has others). Providers without one in the collection have a plain shape.
const marks: Record<string, string> = {
  apple: siApple.path,
  'cloudflare-access': siCloudflare.path,
  discord: siDiscord.path,
  dropbox: siDropbox.path,
  facebook: siFacebook.path,
  github: siGithub.path,
  gitlab: siGitlab.path,
  google: siGoogle.path,
  kick: siKick.path,
  linkedin:
    'M2 2h20v20H2zM5.500 9.500v9h3v-9zm1.500-1.200a1.700 1.700 0 1 0 0-3.400 1.700 1.700 0 0 0 0 3.400zM10.500 9.500v9h3v-4.700c0-1.300.6-2 1.600-2s1.400.8 1.400 2v4.700h3v-5.300c0-2.600-1.300-3.900-3.200-3.900-1.300 0-2.200.6-2.800 1.500V9.500z',
  microsoft: 'M2 2h9.500v9.500H2zM12.500 2H22v9.500h-9.500zM2 12.500h9.500V22H2zM12.500 12.500H22V22h-9.500z',
  reddit: siReddit.path,
  roblox: siRoblox.path,
  spotify: siSpotify.path,
  tiktok: siTiktok.path,
  twitch: siTwitch.path,
  twitter: siX.path,
  vk: siVk.path,
  zoom: siZoom.path,
}

/** The mark of a provider; a building for unknown ones. Decorative: the name is next to it. */
export function ProviderMark({ id, size = 20 }: { id: string; size?: number }) {
  const { brand } = useConfig()
  // The demonstration providers of a development server have the names of real ones with a prefix.
  const name = id.replace(/^demo-/, '')
  const mark = marks[name]
  const coloured = brand.providerMarks === 'color' ? colourMarks[name] : undefined
  if (!mark) return <Building2 aria-hidden size={size} className="flex-none" />
  return (
    <svg aria-hidden viewBox="0 0 24 24" width={size} height={size} className="flex-none">
      {coloured ? (
        coloured.map(([colour, path]) => <path key={colour} d={path} fill={colour} />)
      ) : (
        <path d={mark} fill="currentColor" fillRule="evenodd" />
      )}
    </svg>
  )
}
