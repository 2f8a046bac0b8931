import { type FocusEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { cx } from '../lib/cx.ts'
import { hasWords } from '../lib/has-words.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { FieldFrame } from './field.tsx'

export interface ChoiceGroup {
  label: string
  choices: { value: string; label: string }[]
}

interface ChoiceFieldProps {
  label: string
  /** Of the input that a form sends. */
  name: string
  /** The label of the empty choice. */
  every: string
  groups: readonly ChoiceGroup[]
  value: string
  onChoose(value: string): void
  className?: string
}

/** A choice among many, which typing narrows down: a combobox with a listbox. */
export function ChoiceField({ label, name, every, groups, value, onChoose, className }: ChoiceFieldProps) {
  const t = useTexts()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState<string | null>(null)
  const [isOpen, setOpen] = useState(false)
  const [at, setAt] = useState(0)
  const chosen = groups.flatMap(({ choices }) => choices).find((choice) => choice.value === value)?.label ?? every
  const shown = [{ label: '', choices: [{ value: '', label: every }] }, ...groups]
    .map((group) => ({
      ...group,
      choices: group.choices.filter((choice) => hasWords(typed ?? '', `${choice.label} ${group.label}`)),
    }))
    .filter(({ choices }) => choices.length > 0)
  const choices = shown.flatMap((group) => group.choices)
  const current = Math.min(at, choices.length - 1)
  useEffect(() => {
    if (isOpen && current >= 0) document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, isOpen, current])
  function open() {
    if (isOpen) return
    setAt(
      Math.max(
        0,
        choices.findIndex((choice) => choice.value === value),
      ),
    )
    setOpen(true)
    input.current?.select()
  }
  function close() {
    setOpen(false)
    setTyped(null)
  }
  function choose(choice: { value: string } | undefined) {
    close()
    if (choice && choice.value !== value) onChoose(choice.value)
  }
  function onKey(event: KeyboardEvent) {
    // Enter and the arrows belong to the input method while it composes a character.
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && isOpen) setAt((current + step + choices.length) % Math.max(1, choices.length))
    else if (step !== undefined) open()
    else if (event.key === 'Enter' && isOpen) choose(choices[current])
    else if (event.key === 'Escape' && isOpen) close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  let index = -1
  return (
    <FieldFrame label={label} className={cx('relative', className)}>
      {(control) => (
        <>
          <input type="hidden" name={name} value={value} />
          <input
            {...control}
            ref={input}
            type="text"
            role="combobox"
            dir="auto"
            aria-expanded={isOpen}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && current >= 0 ? `${id}-${current}` : undefined}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            maxLength={100}
            value={typed ?? chosen}
            onClick={open}
            onChange={(event) => {
              setTyped(event.target.value)
              setOpen(true)
              setAt(0)
            }}
            onKeyDown={onKey}
            onBlur={(event: FocusEvent) => event.relatedTarget?.id !== `${id}-list` && close()}
            className="control choice truncate"
          />
          {isOpen && (
            <div
              id={`${id}-list`}
              role="listbox"
              tabIndex={-1}
              aria-label={label}
              className="absolute inset-x-0 top-full z-20 mt-1 max-h-72 overflow-y-auto rounded border bg-surface p-1 shadow-raised"
            >
              {shown.map((group) => (
                // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a group of options
                <div key={group.choices[0]!.value} role="group" aria-label={group.label || label}>
                  {group.label && (
                    <p aria-hidden className="px-2.5 pt-2 pb-1 text-xs font-medium text-soft">
                      {group.label}
                    </p>
                  )}
                  {group.choices.map((choice) => {
                    index++
                    const mine = index
                    return (
                      // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keyboard
                      // biome-ignore lint/a11y/useFocusableInteractive: the combobox keeps the focus
                      <div
                        key={choice.value}
                        id={`${id}-${mine}`}
                        role="option"
                        aria-selected={mine === current}
                        // The combobox keeps the focus.
                        onPointerDown={(event) => event.preventDefault()}
                        onClick={() => choose(choice)}
                        onPointerMove={() => mine !== current && setAt(mine)}
                        className={cx(
                          'flex min-h-9 cursor-pointer items-center rounded px-2.5 py-1.5',
                          mine === current && 'bg-accent-wash',
                          choice.value === value && 'font-medium',
                        )}
                      >
                        {choice.label}
                      </div>
                    )
                  })}
                </div>
              ))}
              {choices.length === 0 && <p className="px-2.5 py-2 text-soft">{t.nothingFound}</p>}
            </div>
          )}
        </>
      )}
    </FieldFrame>
  )
}
