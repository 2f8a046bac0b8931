import { corners, derivedColours, type Look, type LookName, lookNames, looks } from '../../../worker/kit/looks.ts'
import { cx } from '../../lib/cx.ts'
import { useTexts } from '../../lib/texts/texts.ts'
import { brandFormTexts } from './form.texts.ts'

interface GalleryProps {
  chosen: LookName
  onChoose(look: LookName): void
}

/** The looks, each in both themes. */
export function Gallery({ chosen, onChoose }: GalleryProps) {
  const t = useTexts(brandFormTexts)
  return (
    <fieldset className="grid gap-3">
      <legend className="mb-3 font-semibold">{t.look}</legend>
      <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-3">
        {lookNames.map((name) => (
          <label
            key={name}
            className={cx(
              'grid gap-3 rounded-lg border bg-surface p-3 has-focus-visible:outline-2 has-focus-visible:outline-accent',
              name === chosen && 'border-accent shadow-[0_0_0_1px_var(--color-accent)]',
            )}
          >
            <span className="grid grid-cols-2 overflow-hidden rounded border">
              <Miniature look={looks[name]} theme="light" />
              <Miniature look={looks[name]} theme="dark" />
            </span>
            <span className="flex items-start gap-2.5">
              <input
                type="radio"
                name="look"
                value={name}
                checked={name === chosen}
                onChange={() => onChoose(name)}
                className="mt-0.5 size-5 flex-none"
              />
              <span className="grid">
                <span className="font-medium">{t.lookNames[name]}</span>
                <span className="text-sm text-soft">{t.looks[name]}</span>
              </span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

/** A sign-in of shapes. */
function Miniature({ look, theme }: { look: Look; theme: 'light' | 'dark' }) {
  const { colours, radius, elements } = look
  const [control, sheet] = corners[radius]
  const of = (name: keyof typeof colours) => colours[name][theme]
  const pill = elements.button?.borderRadius === '999px'
  return (
    <svg aria-hidden="true" viewBox="0 0 120 84" className="block w-full">
      <rect width="120" height="84" fill={of('paper')} />
      <rect x="18.5" y="10.5" width="83" height="63" rx={sheet / 2} fill={of('surface')} stroke={of('border')} />
      <rect x="38" y="19" width="44" height="5" rx="2.5" fill={of('text')} />
      <rect x="44" y="28" width="32" height="3" rx="1.5" fill={of('mutedText')} />
      <rect x="28.5" y="37.5" width="63" height="10" rx={control / 2} fill={of('surface')} stroke={of('inputBorder')} />
      <rect
        x="28"
        y="52"
        width="64"
        height="11"
        rx={pill ? 5.5 : control / 2}
        fill={derivedColours(colours).fill[theme]}
      />
      <rect x="48" y="56" width="24" height="3" rx="1.5" fill="#ffffff" />
      <rect x="50" y="67" width="20" height="2.5" rx="1.25" fill={of('accent')} />
    </svg>
  )
}
