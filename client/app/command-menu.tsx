import { Check, Search, X } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useConfig } from '../lib/api.ts'
import { cx } from '../lib/cx.ts'
import { useTexts } from '../lib/texts/texts.ts'
import { IconButton } from '../ui/button.tsx'
import type { NavigationGroup } from '../ui/navigation.tsx'
import { commandTexts } from './command.texts.ts'
import { find } from './find-commands.ts'
import { useFoundInConsole, useSearchedInConsole } from './found-in-console.tsx'
import { useOwnCommands } from './own-commands.tsx'

interface CommandMenuProps {
  groups: NavigationGroup[]
  onClose(): void
}

/** Finds screens, actions, organizations to work in and, for administrators, what the console finds (combobox with a listbox). */
export default function CommandMenu({ groups, onClose }: CommandMenuProps) {
  const t = useTexts(commandTexts)
  const { features } = useConfig()
  const searched = useSearchedInConsole()
  const ref = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const open = (act: () => void) => () => {
    // Before the action, which may move the focus: an open dialog would keep it.
    ref.current?.close()
    onClose()
    act()
  }
  const own = useOwnCommands(groups, open)
  const found = useFoundInConsole(text.trim(), open)
  const shown = [...find(own.groups, text), ...found.groups]
  const commands = shown.flatMap((group) => group.commands)
  const current = Math.min(at, commands.length - 1)
  useEffect(() => {
    const dialog = ref.current!
    dialog.showModal()
    return () => dialog.close()
  }, [])
  useEffect(() => {
    if (current >= 0) document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' })
  }, [id, current])
  function onKey(event: KeyboardEvent) {
    // Enter and the arrows belong to the input method while it composes a character.
    if (event.nativeEvent.isComposing) return
    const last = commands.length - 1
    const next = { ArrowDown: current === last ? 0 : current + 1, ArrowUp: current <= 0 ? last : current - 1 }[
      event.key
    ]
    if (next !== undefined) setAt(next)
    else if (event.key === 'Enter') commands[current]?.run()
    else return
    event.preventDefault()
  }
  const placeholder = searched.any
    ? t.placeholder
    : features.organization
      ? t.placeholderOfMember
      : t.placeholderOfPages
  const error = own.error ?? found.error
  let index = -1
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard has Escape
    <dialog
      ref={ref}
      data-commands
      aria-label={t.title}
      onClose={onClose}
      onClick={(event) => event.target === ref.current && onClose()}
      className="mx-auto mt-[max(1rem,10vh)] mb-auto w-[min(36rem,calc(100vw-1rem))] overflow-hidden rounded-lg border bg-surface text-start shadow-raised backdrop:bg-backdrop"
    >
      <div className="flex max-h-[min(32rem,75dvh)] flex-col">
        <div className="flex items-center gap-1 border-b ps-4 pe-1">
          <Search aria-hidden size={18} className="flex-none text-soft" />
          <input
            type="text"
            role="combobox"
            aria-label={t.title}
            aria-expanded={commands.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={current >= 0 ? `${id}-${current}` : undefined}
            autoComplete="off"
            autoCapitalize="none"
            autoCorrect="off"
            spellCheck={false}
            enterKeyHint="go"
            maxLength={128}
            placeholder={placeholder}
            value={text}
            onChange={(event) => {
              setText(event.target.value)
              setAt(0)
            }}
            onKeyDown={onKey}
            className="min-h-12 min-w-0 flex-1 bg-transparent px-2 outline-none placeholder:text-soft"
          />
          <IconButton label={t.close} onClick={onClose} className="text-soft">
            <X aria-hidden size={18} />
          </IconButton>
        </div>
        <div id={`${id}-list`} role="listbox" aria-label={t.results} className="overflow-y-auto p-2 empty:hidden">
          {shown.map((group) => (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be a group of options
            <div key={group.id} role="group" aria-labelledby={`${id}-${group.id}`} className="not-first:mt-2">
              <p id={`${id}-${group.id}`} className="px-2.5 py-1 text-xs font-medium text-soft">
                {group.label}
              </p>
              {group.commands.map((command) => {
                index++
                const mine = index
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox has the keyboard
                  // biome-ignore lint/a11y/useFocusableInteractive: the combobox keeps the focus
                  <div
                    key={command.id}
                    id={`${id}-${mine}`}
                    role="option"
                    aria-selected={mine === current}
                    onClick={command.run}
                    onPointerMove={() => mine !== current && setAt(mine)}
                    className={cx(
                      'flex min-h-10 cursor-pointer items-center gap-3 rounded px-2.5 py-1.5',
                      mine === current && 'bg-accent-wash',
                    )}
                  >
                    <span aria-hidden className="grid w-6 flex-none place-items-center text-soft">
                      {command.icon}
                    </span>
                    <span className="min-w-0 flex-1">
                      <span dir="auto" className="block truncate">
                        {command.label}
                      </span>
                      {command.detail && (
                        <span dir="auto" className="block truncate text-sm text-soft">
                          {command.detail}
                        </span>
                      )}
                    </span>
                    {command.isActive && (
                      <span className="flex flex-none items-center gap-1 text-sm text-soft">
                        <Check aria-hidden size={16} />
                        {t.active}
                      </span>
                    )}
                  </div>
                )
              })}
            </div>
          ))}
        </div>
        <p
          role="status"
          className={cx('px-4 py-3 text-sm text-soft', commands.length > 0 && !found.busy && !error && 'sr-only')}
        >
          {error ??
            (found.busy ? t.searching : commands.length > 0 ? t.found(commands.length) : t.nothing(text.trim()))}
        </p>
      </div>
    </dialog>
  )
}
