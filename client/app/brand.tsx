import { type RefCallback, useCallback, useState } from 'react'
import { Link } from 'wouter'
import { useConfig } from '../lib/api.ts'
import { cx } from '../lib/cx.ts'
import { useTexts } from '../lib/texts/texts.ts'

const heights = { 22: 'h-5.5', 36: 'h-9' }

interface BrandProps {
  /** In pixels. */
  size?: keyof typeof heights
  nameHidden?: boolean
}

/** The product's logo and name. A page whose heading is the name hides it, unless the logo does not load. */
export function Brand({ size = 22, nameHidden }: BrandProps) {
  const { name, brand, isPending } = useConfig()
  const [isBroken, setBroken] = useState(false)
  // In the page of the Worker it may have failed before the app was there to notice.
  const check = useCallback((image: HTMLImageElement | null) => {
    if (image?.complete) image.decode().catch(() => setBroken(true))
  }, [])
  return (
    <Link href="/" className="inline-flex min-h-10 min-w-0 items-center gap-2.5 rounded font-semibold">
      {brand.logo && !isBroken ? (
        <Logo ref={check} logo={brand.logo} size={size} onError={() => setBroken(true)} />
      ) : (
        <svg aria-hidden="true" viewBox="0 0 32 32" width={size} height={size} className="flex-none fill-accent">
          <path d="M4 28V12L16 3l12 9v16h-8v-8a4 4 0 0 0-8 0v8z" />
        </svg>
      )}
      <span dir="auto" className={cx('truncate', nameHidden && !isBroken && 'sr-only')}>
        {isPending ? '' : name}
      </span>
    </Link>
  )
}

interface LogoProps {
  ref: RefCallback<HTMLImageElement>
  logo: string | { light: string; dark: string }
  size: keyof typeof heights
  onError(): void
}

function Logo({ ref, logo, size, onError }: LogoProps) {
  const { light, dark } = typeof logo === 'string' ? { light: logo, dark: logo } : logo
  const image = (address: string, className = '') => (
    <img ref={ref} src={address} alt="" onError={onError} className={cx('flex-none', heights[size], className)} />
  )
  if (light === dark) return image(light)
  return (
    <>
      {image(light, 'by-day')}
      {image(dark, 'by-night')}
    </>
  )
}

export function BrandLinks() {
  const { brand } = useConfig()
  const t = useTexts()
  const links = [
    [t.terms, brand.terms],
    [t.privacy, brand.privacy],
    [t.support, brand.support],
  ] as const
  return links.map(
    ([label, url]) =>
      url && (
        <a
          key={label}
          href={url}
          className="inline-flex min-h-10 items-center rounded underline-offset-4 hover:underline"
        >
          {label}
        </a>
      ),
  )
}
