import { KeyRound } from 'lucide-react'

// Drawn by us, in one colour: enough to be recognized beside the name, which always stands there too.
interface Mark {
  /** Filled shapes. */
  fill?: string
  /** Lines. */
  line?: string
}

const marks: Record<string, Mark> = {
  apple: {
    fill: 'M12 8.2c1-.6 2.2-1 3.4-1 1.5 0 2.9.8 3.7 2-3.2 2-2.6 6.3.5 7.6-.9 2.2-2.3 4.2-3.9 4.2-1.3 0-1.9-.8-3.5-.8s-2.3.8-3.5.8C6 21 3.8 17 3.8 13.400c0-3.6 2.2-6.1 4.9-6.1 1.3 0 2.4.5 3.3.9zM11.9 6.600c-.1-2.3 1.7-4.3 4-4.5.2 2.4-1.7 4.5-4 4.500z',
  },
  discord: {
    fill: 'M7.5 4.8 9 4.300l.7 1.300a14 14 0 0 1 4.6 0l.7-1.3 1.5.5c1 .2 2 .6 2.8 1.1 1.9 3 2.8 6.3 2.5 10.200a14 14 0 0 1-4.6 2.400l-1.3-2.100a9 9 0 0 0 1.5-.8l-.4-.3a11 11 0 0 1-10 0l-.4.3 1.5.8-1.3 2.100a14 14 0 0 1-4.6-2.400c-.3-3.9.6-7.2 2.5-10.2.8-.5 1.8-.9 2.8-1.100zM8.7 10.200a1.7 1.9 0 1 0 0 3.8 1.7 1.9 0 0 0 0-3.800zm6.6 0a1.7 1.9 0 1 0 0 3.8 1.7 1.9 0 0 0 0-3.800z',
  },
  dropbox: {
    fill: 'M7 3.5 2 6.7 7 10l5-3.300zM17 3.500l-5 3.2 5 3.3 5-3.300zM2 13.200l5 3.3 5-3.300L7 10zM17 10l-5 3.2 5 3.3 5-3.300zM7 17.600l5 3.2 5-3.2-5-3.300z',
  },
  facebook: {
    fill: 'M13.5 21v-7.500h2.700l.5-3.300h-3.200V8.100c0-1 .4-1.7 1.8-1.700h1.600V3.500a18 18 0 0 0-2.5-.2c-2.6 0-4.3 1.6-4.3 4.400v2.500H7.300v3.300h2.800V21z',
  },
  github: {
    fill: 'M4.6 3.200c1.5 0 3.1.9 4.1 1.600a13 13 0 0 1 6.6 0c1-.7 2.6-1.6 4.1-1.6.7 1.7.5 3.2.2 4.100a6.5 6.5 0 0 1 1.7 4.500c0 5.4-4 6.9-9.3 6.900s-9.3-1.5-9.3-6.900c0-1.8.6-3.3 1.7-4.5-.3-.9-.5-2.4.2-4.100zM8.3 11c-1.7 0-2.7 1-2.7 2.7 0 2.5 2.5 3.3 6.4 3.300s6.4-.8 6.4-3.300c0-1.7-1-2.7-2.7-2.7-1.3 0-2.2.3-3.7.3S9.6 11 8.3 11zm.5 1.300a1 1.5 0 1 1 0 3 1 1.5 0 0 1 0-3zm6.4 0a1 1.5 0 1 1 0 3 1 1.5 0 0 1 0-3z',
  },
  gitlab: { fill: 'M12 21.5 2.3 14.3 5.6 3.500l3 7.300h6.800l3-7.3 3.3 10.800z' },
  google: { line: 'M19 6.500A8.5 8.5 0 1 0 20.5 12H12.5' },
  kick: { fill: 'M4 3h6v5h2V5.500h2.500V3H20v6h-2.500v3H20v6.5 2.500h-5.500v-2.500H12V16h-2v5H4z' },
  linkedin: {
    fill: 'M4 9.200h3.400V20H4zM5.7 3.800a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM9.6 9.200h3.200v1.500c.5-1 1.7-1.8 3.4-1.8 3.3 0 4.3 2 4.3 5V20h-3.400v-5.500c0-1.5-.3-2.8-2-2.800s-2.1 1.3-2.1 2.800V20H9.600z',
  },
  microsoft: { fill: 'M3 3h8.500v8.500H3zM12.5 3H21v8.500h-8.500zM3 12.500h8.500V21H3zM12.5 12.500H21V21h-8.500z' },
  reddit: {
    line: 'M12 8.5 13.2 3.8 17 4.700M20.5 14c0 3.3-3.8 6-8.5 6s-8.5-2.7-8.5-6 3.8-5.5 8.5-5.5 8.5 2.2 8.5 5.500z',
    fill: 'M9 11.800a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.800zm6 0a1.4 1.4 0 1 1 0 2.8 1.4 1.4 0 0 1 0-2.800zm3-8.800a1.7 1.7 0 1 1 0 3.4 1.7 1.7 0 0 1 0-3.400z',
  },
  roblox: { fill: 'M6.6 2.5 21.5 6.6 17.4 21.5 2.5 17.400zM10.6 9.200l-1.4 4.2 4.2 1.4 1.4-4.200z' },
  spotify: {
    line: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM7 9.500c3.5-1 7-.7 10 1M7.5 12.700c3-.8 5.8-.5 8.3.9M8 15.700c2.4-.6 4.6-.4 6.6.7',
  },
  tiktok: { line: 'M13.5 3.500v11.700a4 4 0 1 1-4-4M13.5 3.500c.4 3 2.5 5 5.5 5.3' },
  twitch: { line: 'M5.5 3.500h14v10l-4 4H12l-3 3v-3H5.500zM11 7.500v4.500M15.5 7.500v4.5' },
  twitter: { line: 'M4 4h3.800L20 20h-3.800zM19 4l-6 6.600M11 13.4 5 20' },
  vk: { line: 'M3.5 7c.6 6.6 4 10 9.5 10V7M13 12c3.2-.3 5-2.2 5.8-5M13.3 12c3.3.3 5.4 2 6.7 5' },
  zoom: { fill: 'M4.5 7h7.800A2.7 2.7 0 0 1 15 9.700V17H7.200a2.7 2.7 0 0 1-2.7-2.700zM16 11l4.5-3v8L16 13z' },
}

/** The mark of a provider; a key for one that we have none for. Decoration: its name stands beside it. */
export function ProviderMark({ id, size = 20 }: { id: string; size?: number }) {
  // The demonstration set of a development server is named after what it stands for.
  const mark = marks[id.replace(/^demo-/, '')]
  if (!mark) return <KeyRound aria-hidden size={size} className="flex-none" />
  return (
    <svg aria-hidden viewBox="0 0 24 24" width={size} height={size} className="flex-none">
      {mark.line && (
        <path
          d={mark.line}
          fill="none"
          stroke="currentColor"
          strokeWidth={2}
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      )}
      {mark.fill && <path d={mark.fill} fill="currentColor" fillRule="evenodd" />}
    </svg>
  )
}
