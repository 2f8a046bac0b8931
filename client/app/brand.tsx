import { Link } from 'wouter'
import { useConfig } from '../lib/api.ts'

/** The gate, and the product's name. */
export function Brand() {
  const { name } = useConfig()
  return (
    <Link href="/" className="inline-flex min-h-10 items-center gap-2.5 rounded font-semibold">
      <svg aria-hidden="true" viewBox="0 0 32 32" width="22" height="22" className="flex-none fill-accent">
        <path d="M4 28V12L16 3l12 9v16h-8v-8a4 4 0 0 0-8 0v8z" />
      </svg>
      <span className="truncate">{name}</span>
    </Link>
  )
}
