import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react'
import { useConfig } from '../../lib/api.ts'
import { cx } from '../../lib/cx.ts'
import { Field, FieldFrame, SelectField } from '../../ui/field.tsx'
import { PageTitle } from '../../ui/page.tsx'
import { CopyButton } from '../../ui/small.tsx'
import { Note } from '../../ui/state.tsx'
import { OwnTexts } from './own-texts.tsx'
import { pairsOf } from './readability.ts'

// A page for developers, in English like the rest of /dev.

type Value = string | boolean | string[] | null | { [name: string]: Value }
type Brand = { [name: string]: Value }

/** The options of `brand`: those in force and the defaults. */
interface Options {
  current: Brand
  defaults: Brand
}

/** Shows the hosted screens with other options of `brand`, and the configuration for them. Development only. */
export default function BrandPreview() {
  const { development } = useConfig()
  const [options, setOptions] = useState<Options | null>(null)
  useEffect(() => {
    if (!development) return
    void fetch('/dev/brand.json').then(async (answer) => {
      if (answer.ok) setOptions((await answer.json()) as Options)
    })
  }, [development])
  if (!development) return null
  return (
    // Over the frame of the signed-out screens, which is as narrow as a form.
    <div lang="en" className="absolute inset-x-0 top-0 z-10 min-h-dvh bg-paper px-4 py-6 sm:px-8">
      <PageTitle>The brand</PageTitle>
      <p className="mt-1 text-soft">
        The screens with these options of <code>brand</code>, in development only. Nothing is stored.
      </p>
      {options && <Workshop {...options} />}
    </div>
  )
}

function Workshop({ current, defaults }: Options) {
  const [brand, setBrand] = useState(current)
  const set = (name: string, value: Value) => setBrand((before) => withValue(before, name.split('.'), value))
  const changed = differences(brand, defaults)
  return (
    <div className="mt-6 grid items-start gap-8 lg:grid-cols-[20rem_minmax(0,1fr)]">
      <Form brand={brand} set={set} />
      <div className="grid grid-cols-1 gap-6">
        <Screens brand={changed} />
        <Readability accent={brand.accent as { light: string; dark: string }} />
        <Configuration brand={changed} />
      </div>
    </div>
  )
}

function withValue(brand: Brand, [name, ...rest]: string[], value: Value): Brand {
  const own = brand[name!]
  const inner = rest.length > 0 ? withValue(isObject(own) ? own : {}, rest, value) : value
  return { ...brand, [name!]: inner }
}

const isObject = (value: Value | undefined): value is Brand =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const same = (one: Value | undefined, other: Value | undefined) => JSON.stringify(one) === JSON.stringify(other)

/** The options that differ from their defaults. */
function differences(brand: Brand, defaults: Brand): Brand {
  const entries = Object.entries(brand).flatMap(([name, value]): [string, Value][] => {
    const usual = defaults[name]
    if (same(value, usual)) return []
    return [[name, isObject(value) && isObject(usual) ? differences(value, usual) : value]]
  })
  return Object.fromEntries(entries)
}

interface Part {
  brand: Brand
  set(name: string, value: Value): void
}

const at = (brand: Brand, name: string): Value | undefined =>
  name.split('.').reduce<Value | undefined>((value, part) => (isObject(value) ? value[part] : undefined), brand)

type Texts = ComponentProps<typeof OwnTexts>['texts']

function Form(part: Part) {
  return (
    <form method="dialog" className="grid gap-5" onSubmit={(event) => event.preventDefault()}>
      <Group title="Colours">
        <Colour {...part} name="accent.light" label="Accent, light theme" />
        <Colour {...part} name="accent.dark" label="Accent, dark theme" />
        <Choice {...part} name="theme" label="Theme" values={['system', 'light', 'dark']} />
        <Switch {...part} name="themeSwitch" label="Users can choose the theme" />
      </Group>
      <Group title="Shape">
        <Choice {...part} name="radius" label="Corners" values={['small', 'medium', 'large']} />
        <Text {...part} name="font" label="Font (WOFF2)" example="/fonts/acme.woff2" />
      </Group>
      <Group title="Logo">
        <Text {...part} name="logo" label="Logo" example="https://acme.example/logo.svg" />
        <Choice {...part} name="logoPosition" label="Place" values={['center', 'start']} />
      </Group>
      <Group title="Background">
        <Colour {...part} name="background.color" label="Colour" optional />
        <Text {...part} name="background.picture" label="Picture" example="https://acme.example/hills.jpg" />
        <Choice {...part} name="background.layout" label="Layout" values={['page', 'split']} />
      </Group>
      <Group title="Sign-in">
        <List {...part} name="ways" label="Order of the ways" example="passkey, social" />
        <Choice {...part} name="providerMarks" label="Marks of providers" values={['color', 'mono']} />
        <Switch {...part} name="languageSwitch" label="Users can choose the language" />
      </Group>
      <Group title="Texts">
        <OwnTexts
          texts={(part.brand.texts ?? {}) as Texts}
          onChange={(texts) => part.set('texts', texts as { [language: string]: Value })}
        />
      </Group>
      <Group title="Links">
        <Text {...part} name="terms" label="Terms" example="/terms" />
        <Text {...part} name="privacy" label="Privacy" example="/privacy" />
        <Text {...part} name="support" label="Support" example="mailto:help@acme.example" />
      </Group>
    </form>
  )
}

const Group = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className="grid gap-4 rounded-lg border bg-surface p-4">
    <legend className="px-1 font-semibold">{title}</legend>
    {children}
  </fieldset>
)

type FieldOf<More = object> = Part & { name: string; label: string } & More

const textOf = (value: Value | undefined) => (typeof value === 'string' ? value : '')

function Text({ brand, set, name, label, example }: FieldOf<{ example: string }>) {
  return (
    <Field
      label={label}
      placeholder={example}
      value={textOf(at(brand, name))}
      onChange={({ target }) => set(name, target.value.trim() || null)}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

/** A list in one field, separated by commas. */
function List({ brand, set, name, label, example }: FieldOf<{ example: string }>) {
  const value = at(brand, name)
  const [text, setText] = useState(Array.isArray(value) ? value.join(', ') : '')
  return (
    <Field
      label={label}
      placeholder={example}
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        set(name, target.value.split(/[\s,]+/).filter(Boolean))
      }}
      spellCheck={false}
      autoComplete="off"
    />
  )
}

function Choice({ brand, set, name, label, values }: FieldOf<{ values: string[] }>) {
  return (
    <SelectField label={label} value={textOf(at(brand, name))} onChange={({ target }) => set(name, target.value)}>
      {values.map((value) => (
        <option key={value}>{value}</option>
      ))}
    </SelectField>
  )
}

function Switch({ brand, set, name, label }: FieldOf) {
  return (
    <label className="flex min-h-10 items-center gap-2.5">
      <input
        type="checkbox"
        className="size-5"
        checked={at(brand, name) === true}
        onChange={({ target }) => set(name, target.checked)}
      />
      {label}
    </label>
  )
}

function Colour({ brand, set, name, label, optional }: FieldOf<{ optional?: boolean }>) {
  const value = textOf(at(brand, name))
  const isValid = /^#[0-9a-f]{6}$/i.test(value)
  return (
    <FieldFrame label={label} error={isValid || (optional && !value) ? undefined : 'A colour such as #2350c0'}>
      {(control) => (
        <div className="flex gap-2">
          <input
            type="color"
            aria-label={`${label}, chosen`}
            value={isValid ? value : '#ffffff'}
            onChange={({ target }) => set(name, target.value)}
            className="h-10 w-12 flex-none rounded border border-edge bg-surface p-1"
          />
          <input
            {...control}
            className="control"
            value={value}
            placeholder={optional ? 'none' : undefined}
            onChange={({ target }) => set(name, target.value.trim() || (optional ? null : ''))}
            spellCheck={false}
            autoComplete="off"
          />
        </div>
      )}
    </FieldFrame>
  )
}

const screens = {
  'Sign in': '/sign-in?add',
  'Sign up': '/sign-up',
  'Forgot password': '/forgot-password',
  Profile: '/account/profile',
  Security: '/account/security',
  Error: '/error?error=access_denied',
}
const themes = ['as configured', 'light', 'dark'] as const
const widths = [360, 1280] as const
const frameHeight = 760

/** A screen in a frame as wide as a phone or a laptop, which shrinks to the space that there is. */
function Screens({ brand }: { brand: Brand }) {
  const [screen, setScreen] = useState('Sign in')
  const [theme, setTheme] = useState<(typeof themes)[number]>('as configured')
  const [width, setWidth] = useState<(typeof widths)[number]>(360)
  const frame = useRef<HTMLIFrameElement>(null)
  // While the user types, the frame waits.
  const query = useSettled(encodeURIComponent(JSON.stringify(brand)))
  const path = screens[screen as keyof typeof screens]
  const src = `${path}${path.includes('?') ? '&' : '?'}brand-preview=${query}`

  function applyTheme() {
    const root = frame.current?.contentDocument?.documentElement
    if (root && theme !== 'as configured') root.dataset.theme = theme
  }

  // The ratio of two lengths, which calc() cannot divide in every browser. Measured by a script, the frame would be too
  // wide until the script has run.
  const scale = `min(1, tan(atan2(100cqw, ${width}px)))`
  return (
    <section className="grid grid-cols-1 gap-3">
      <div className="grid gap-3 sm:grid-cols-3">
        <SelectField label="Screen" value={screen} onChange={({ target }) => setScreen(target.value)}>
          {Object.keys(screens).map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <SelectField
          label="Theme of the frame"
          value={theme}
          onChange={({ target }) => setTheme(target.value as (typeof themes)[number])}
        >
          {themes.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <SelectField
          label="Width (px)"
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
            title={`${screen} with these options`}
            onLoad={applyTheme}
            style={{ width, height: frameHeight, transform: `scale(${scale})` }}
            className="max-w-none origin-top-left rounded-lg border bg-paper rtl:origin-top-right"
          />
        </div>
      </div>
      <p className="text-sm text-soft">Profile and Security need a session: sign in in another tab first.</p>
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

function Readability({ accent }: { accent: { light: string; dark: string } }) {
  const pairs = pairsOf(accent)
  const weak = pairs.filter(({ ratio, minimum }) => ratio < minimum)
  return (
    <section aria-label="Contrast" className="grid gap-3">
      <h2 className="font-semibold">Contrast</h2>
      {weak.length > 0 && (
        <Note tone="warning" live>
          {weak.map(({ what, ratio, minimum }) => (
            <p key={what}>
              {what}: {ratio.toFixed(1)}, needs {minimum}
            </p>
          ))}
        </Note>
      )}
      <ul className="grid gap-x-8 gap-y-1 text-sm sm:grid-cols-2">
        {pairs.map(({ what, ratio, minimum }) => (
          <li key={what} className="flex justify-between gap-4 border-b py-1">
            <span>{what}</span>
            <span className={cx('tabular-nums', ratio < minimum ? 'font-medium text-danger' : 'text-soft')}>
              {ratio.toFixed(1)} {ratio < minimum ? 'too low' : 'good'}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** As the product writes it: names without quotes, texts in single ones. */
function printed(value: Value, indent = ''): string {
  if (typeof value === 'string') return `'${value.replace(/[\\']/g, '\\$&')}'`
  if (Array.isArray(value)) return `[${value.map((one) => printed(one)).join(', ')}]`
  if (!isObject(value)) return String(value)
  const inner = `${indent}  `
  const nameOf = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : printed(name))
  const lines = Object.entries(value).map(([name, own]) => `${inner}${nameOf(name)}: ${printed(own, inner)},`)
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`
}

function Configuration({ brand }: { brand: Brand }) {
  const text = `brand: ${printed(brand)},`
  return (
    <section aria-label="Configuration" className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">Configuration</h2>
        <CopyButton text={text} />
      </div>
      <pre className="rounded border bg-sunken p-4 font-mono text-sm whitespace-pre-wrap">{text}</pre>
    </section>
  )
}
