import { Check, Copy, UserRound } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { Button } from './button.tsx'

const tones = {
  neutral: 'bg-sunken text-ink',
  accent: 'bg-accent-wash text-accent',
  success: 'bg-success-wash text-success',
  warning: 'bg-warning-wash text-warning',
  danger: 'bg-danger-wash text-danger',
} as const

/** A short label: a state or a kind. */
export function Badge({ tone = 'neutral', children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span
      className={cx(
        'badge inline-block self-center rounded-full border border-transparent px-2 text-xs font-medium leading-5 whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  )
}

/** The picture of a user or an organization, or the initials of the name. Decorative: the name is next to it. */
export function Avatar({ name, image, size = 32 }: { name: string; image?: string | null; size?: number }) {
  const [broken, setBroken] = useState<string | null>(null)
  const letters = name
    .split(/\s+/)
    .map((word) => /^[\p{L}\p{N}]/u.exec(word)?.[0] ?? '')
    .join('')
    .slice(0, 2)
    .toUpperCase()
  const style = { width: size, height: size, fontSize: size * 0.4 }
  if (image && image !== broken) {
    return (
      <img
        src={image}
        alt=""
        referrerPolicy="no-referrer"
        style={style}
        onError={() => setBroken(image)}
        className="avatar flex-none rounded-full bg-sunken object-cover"
      />
    )
  }
  return (
    <span
      aria-hidden
      style={style}
      className="avatar inline-grid flex-none place-items-center rounded-full bg-accent-wash font-semibold text-accent"
    >
      {letters || <UserRound size={size * 0.55} />}
    </span>
  )
}

export function CopyButton({ text, children }: { text: string; children?: ReactNode }) {
  const t = useTexts()
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 2000)
    return () => clearTimeout(timer)
  }, [copied])
  return (
    <Button onClick={() => void navigator.clipboard.writeText(text).then(() => setCopied(true))}>
      {copied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
      <span role="status">{copied ? t.copied : (children ?? t.copy)}</span>
    </Button>
  )
}
