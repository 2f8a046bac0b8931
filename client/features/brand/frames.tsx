import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../lib/texts/texts.ts'
import { SelectField } from '../../ui/field.tsx'
import { brandFormTexts } from './form.texts.ts'
import type { Brand } from './options.ts'

type ScreenName = keyof typeof brandFormTexts.english.screens

const screens = {
  signIn: '/sign-in?add',
  signUp: '/sign-up',
  forgotPassword: '/forgot-password',
  profile: '/account/profile',
  security: '/account/security',
  error: '/error?error=access_denied',
  invitation: '/?mail=invitation',
  code: '/?mail=sign-in+code',
  notice: '/?mail=security+notice',
} satisfies Record<ScreenName, string>
const themes = ['configured', 'light', 'dark'] as const
const widths = [360, 1280] as const
const frameHeight = 760

/** A screen in a frame as wide as a phone or a laptop, which shrinks to the space that there is. */
export function Screens({ brand }: { brand: Brand }) {
  const t = useTexts(brandFormTexts)
  const [screen, setScreen] = useState<ScreenName>('signIn')
  const [theme, setTheme] = useState<(typeof themes)[number]>('configured')
  const [width, setWidth] = useState<(typeof widths)[number]>(360)
  const frame = useRef<HTMLIFrameElement>(null)
  // While the user types, the frame waits.
  const query = useSettled(encodeURIComponent(JSON.stringify(brand)))
  const path = screens[screen]
  const src = `${path}${path.includes('?') ? '&' : '?'}brand-preview=${query}`

  function applyTheme() {
    const root = frame.current?.contentDocument?.documentElement
    if (!root || theme === 'configured') return
    root.dataset.theme = theme
    // A mail knows the theme of the device only.
    root.style.colorScheme = theme
  }

  // The ratio of two lengths, which calc() cannot divide in every browser. Measured by a script, the frame would be too
  // wide until the script has run.
  const scale = `min(1, tan(atan2(100cqw, ${width}px)))`
  return (
    <section className="grid grid-cols-1 gap-3">
      <div className="grid gap-3 sm:grid-cols-3">
        <SelectField label={t.screen} value={screen} onChange={({ target }) => setScreen(target.value as ScreenName)}>
          {(Object.keys(screens) as ScreenName[]).map((name) => (
            <option key={name} value={name}>
              {t.screens[name]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t.frameTheme}
          value={theme}
          onChange={({ target }) => setTheme(target.value as (typeof themes)[number])}
        >
          {themes.map((name) => (
            <option key={name} value={name}>
              {t.frameThemes[name]}
            </option>
          ))}
        </SelectField>
        <SelectField
          label={t.width}
          value={width}
          onChange={({ target }) => setWidth(Number(target.value) as (typeof widths)[number])}
        >
          {widths.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      </div>
      <div className="@container">
        <div style={{ height: `calc(${frameHeight}px * ${scale})` }}>
          <iframe
            // Another theme is applied to a new page, so that nothing of the last one stays.
            key={`${src} ${theme}`}
            ref={frame}
            src={src}
            title={t.frame(t.screens[screen])}
            onLoad={applyTheme}
            style={{ width, height: frameHeight, transform: `scale(${scale})` }}
            className="max-w-none origin-top-left rounded-lg border bg-paper rtl:origin-top-right"
          />
        </div>
      </div>
      <p className="text-sm text-soft">{t.needSession}</p>
    </section>
  )
}

/** A value that has not changed for half a second. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), 500)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
