import { type ComponentProps, type ReactNode, useState } from 'react'
import { elementNames } from '../../../worker/kit/elements.ts'
import { colourNames, type Look, type LookName, looks, type Palette, pairsOf } from '../../../worker/kit/looks.ts'
import { cx } from '../../lib/cx.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { CopyButton } from '../../ui/small.tsx'
import { Note } from '../../ui/state.tsx'
import { ElementStyles } from './element-styles.tsx'
import { Choice, Colour, Switch, Text, ThemedColour, Ways } from './fields.tsx'
import { brandFormTexts } from './form.texts.ts'
import { Screens } from './frames.tsx'
import { Gallery } from './gallery.tsx'
import { type Brand, isColour, isObject, type Options, type Part, type Value } from './options.ts'
import { OwnTexts } from './own-texts.tsx'

/** The form for all options of `brand`, the screens with them, their contrast, and the configuration to copy. */
export function Workshop({ current, defaults }: Options) {
  const [brand, setBrand] = useState(current)
  const set = (name: string, value: Value) => setBrand((before) => withValue(before, name.split('.'), value))
  const changed = differences(brand, defaults)
  return (
    <div className="grid gap-8">
      <Gallery chosen={brand.look as LookName} onChoose={(look) => set('look', look)} />
      <div className="grid items-start gap-8 lg:grid-cols-[20rem_minmax(0,1fr)]">
        <Form brand={brand} set={set} />
        <div className="grid grid-cols-1 gap-6">
          <Screens brand={changed} />
          <Readability palette={paletteOf(brand)} />
          <Configuration brand={changed} />
        </div>
      </div>
    </div>
  )
}

/** The colours that these options result in; one that is not valid yet counts as that of the look. */
function paletteOf(brand: Brand): Palette {
  const base: Palette = { ...looks[brand.look as LookName].colours }
  const given = { ...(brand.colors as Brand), accent: brand.accent } as { [name: string]: Value | undefined }
  for (const [name, value] of Object.entries(given)) {
    const own = base[name as keyof Palette]
    const of = (theme: 'light' | 'dark') => {
      const colour = isObject(value) ? value[theme] : value
      return isColour(colour) ? colour : own[theme]
    }
    base[name as keyof Palette] = { light: of('light'), dark: of('dark') }
  }
  return base
}

function withValue(brand: Brand, [name, ...rest]: string[], value: Value): Brand {
  const own = brand[name!]
  const inner = rest.length > 0 ? withValue(isObject(own) ? own : {}, rest, value) : value
  return { ...brand, [name!]: inner }
}

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

type Texts = ComponentProps<typeof OwnTexts>['texts']

/** The accent has a field of its own. */
const otherColours = colourNames.filter((name) => name !== 'accent')

function Form(part: Part) {
  const { groups, themes, radii, logoPositions, layouts, marks } = useTexts(brandFormTexts)
  const look: Look = looks[part.brand.look as LookName]
  return (
    <form method="dialog" className="grid gap-5" onSubmit={(event) => event.preventDefault()}>
      <Group title={groups.colours}>
        <Colour {...part} name="accent.light" usual={look.colours.accent.light} />
        <Colour {...part} name="accent.dark" usual={look.colours.accent.dark} />
        <details>
          <summary className="min-h-10 py-2">{groups.otherColours}</summary>
          <div className="grid gap-4 pt-2">
            {otherColours.flatMap((name) =>
              (['light', 'dark'] as const).map((theme) => (
                <ThemedColour
                  key={`${name} ${theme}`}
                  {...part}
                  name={`colors.${name}`}
                  theme={theme}
                  usual={look.colours[name]}
                />
              )),
            )}
          </div>
        </details>
        <Choice {...part} name="theme" words={themes} />
        <Switch {...part} name="themeSwitch" />
      </Group>
      <Group title={groups.shape}>
        <Choice {...part} name="radius" words={radii} usual={look.radius} />
        <Text {...part} name="font" example="/fonts/acme.woff2" />
      </Group>
      <Group title={groups.logo}>
        <Text {...part} name="logo" example="https://acme.example/logo.svg" />
        <Choice {...part} name="logoPosition" words={logoPositions} />
      </Group>
      <Group title={groups.background}>
        <Colour {...part} name="background.color" optional />
        <Text {...part} name="background.picture" example="https://acme.example/hills.jpg" />
        <Choice {...part} name="background.layout" words={layouts} />
      </Group>
      <Group title={groups.signIn}>
        <Ways {...part} name="ways" />
        <Choice {...part} name="providerMarks" words={marks} />
        <Switch {...part} name="languageSwitch" />
      </Group>
      <Group title={groups.texts}>
        <OwnTexts
          texts={(part.brand.texts ?? {}) as Texts}
          onChange={(texts) => part.set('texts', texts as { [language: string]: Value })}
        />
      </Group>
      <Group title={groups.elements}>
        <ElementStyles
          names={elementNames}
          value={(part.brand.elements ?? {}) as ComponentProps<typeof ElementStyles>['value']}
          onChange={(elements) => part.set('elements', elements as Value)}
        />
      </Group>
      <Group title={groups.slots}>
        <Text {...part} name="slots.top" words example="Maintenance on Sunday" />
        <Text {...part} name="slots.beside" words example="Reports in one minute" />
        <Text {...part} name="slots.bottom" words example="Acme Ltd, Osaka" />
      </Group>
      <Group title={groups.links}>
        <Text {...part} name="terms" example="/terms" />
        <Text {...part} name="privacy" example="/privacy" />
        <Text {...part} name="support" example="mailto:help@acme.example" />
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

function Readability({ palette }: { palette: Palette }) {
  const t = useTexts(brandFormTexts)
  const pairs = pairsOf(palette)
  const wordsOf = ({ use, ground, theme }: (typeof pairs)[number]) =>
    t.pairIn[theme](ground ? t.onGround[ground](t.pairs[use]) : t.pairs[use])
  const weak = pairs.filter(({ ratio, minimum }) => ratio < minimum)
  return (
    <section aria-label={t.contrast} className="grid gap-3">
      <h2 className="font-semibold">{t.contrast}</h2>
      {weak.length === 0 && <p className="text-soft">{t.allReadable(pairs.length)}</p>}
      {weak.length > 0 && (
        <Note tone="warning" live>
          {weak.map((pair) => (
            <p key={pair.what}>{t.weak(wordsOf(pair), pair.ratio.toFixed(1), pair.minimum)}</p>
          ))}
        </Note>
      )}
      <details>
        <summary className="min-h-10 py-2">{t.allPairs(pairs.length)}</summary>
        <ul className="grid gap-x-8 gap-y-1 text-sm sm:grid-cols-2">
          {pairs.map((pair) => {
            const isLow = pair.ratio < pair.minimum
            return (
              <li key={pair.what} className="flex justify-between gap-4 border-b py-1">
                <span>{wordsOf(pair)}</span>
                <span className={cx('flex-none tabular-nums', isLow ? 'font-medium text-danger' : 'text-soft')}>
                  {pair.ratio.toFixed(1)} {isLow ? t.tooLow : t.good}
                </span>
              </li>
            )
          })}
        </ul>
      </details>
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
  const t = useTexts(brandFormTexts)
  const text = `brand: ${printed(brand)},`
  return (
    <section aria-label={t.configuration} className="grid grid-cols-1 gap-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">{t.configuration}</h2>
        <CopyButton text={text} />
      </div>
      <pre dir="ltr" className="rounded border bg-sunken p-4 font-mono text-sm whitespace-pre-wrap">
        {text}
      </pre>
    </section>
  )
}
