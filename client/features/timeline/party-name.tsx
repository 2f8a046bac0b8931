import { Link } from 'wouter'
import { Cut, CutParts } from '../../ui/cut.tsx'
import type { Party } from './line.ts'

/** A party by its name, with a link to its screen. */
export function PartyName({ of }: { of: Party | undefined }) {
  if (!of) return '–'
  const { kind, name, href } = of
  const shown = kind && name ? <CutParts parts={[[kind, name]]} /> : <Cut>{name || kind || ''}</Cut>
  return href ? (
    <Link href={href} className="block min-w-0 underline decoration-line underline-offset-4">
      {shown}
    </Link>
  ) : (
    shown
  )
}
