import { Monitor, Moon, Sun } from 'lucide-react'
import { type ComponentType, useId } from 'react'
import { useConfig } from '../lib/api.ts'
import { cx } from '../lib/cx.ts'
import { languageNames, rememberLanguage, useLanguage, useTexts } from '../lib/texts/texts.ts'
import { chooseTheme, type Theme, theme, themes } from '../lib/theme.ts'

const icons: Record<Theme, ComponentType<{ size?: number }>> = { system: Monitor, light: Sun, dark: Moon }

/** Radio buttons that look like one control. */
export function ThemeSwitch() {
  const t = useTexts()
  const current = theme.use()
  const name = useId()
  if (!useConfig().brand.themeSwitch) return null
  return (
    <fieldset className="flex rounded border border-transparent p-0.5">
      <legend className="sr-only">{t.theme}</legend>
      {themes.map((choice) => {
        const Icon = icons[choice]
        return (
          <label
            key={choice}
            title={t.themes[choice]}
            className={cx(
              'grid size-10 place-items-center rounded has-focus-visible:outline-2 has-focus-visible:outline-accent',
              choice === current ? 'bg-sunken text-ink' : 'text-soft hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={choice === current}
              onChange={() => chooseTheme(choice)}
            />
            <span className="sr-only">{t.themes[choice]}</span>
            <Icon aria-hidden size={16} />
          </label>
        )
      })}
    </fieldset>
  )
}

export function LanguageSwitch() {
  const t = useTexts()
  const language = useLanguage()
  if (!useConfig().brand.languageSwitch) return null
  return (
    <select
      aria-label={t.language}
      value={language}
      onChange={(event) => void rememberLanguage(event.target.value)}
      className="h-10 rounded border border-transparent bg-transparent px-2 hover:bg-sunken"
    >
      {Object.entries(languageNames).map(([tag, name]) => (
        <option key={tag} value={tag} lang={tag}>
          {name}
        </option>
      ))}
    </select>
  )
}
