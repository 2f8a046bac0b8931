import type { ReactNode } from 'react'
import { Section } from '../../ui/section.tsx'
import { CopyButton } from '../../ui/small.tsx'
import { useManager } from './manager.ts'

/** A part of a page: on its own sheet in the settings, between lines on the narrow sheet of a set-up link. */
export function Part(props: {
  id?: string
  title: string
  intro?: ReactNode
  action?: ReactNode
  children: ReactNode
}) {
  const { organizationId } = useManager()
  if (organizationId !== null) return <Section {...props} />
  const { id, title, intro, action, children } = props
  return (
    <section id={id} className="grid grid-cols-1 gap-5 border-t pt-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="grid min-w-0 gap-1 sm:flex-1">
          <h2 className="text-base font-semibold">{title}</h2>
          {intro && <p className="text-pretty text-soft">{intro}</p>}
        </div>
        {action}
      </div>
      {children}
    </section>
  )
}

/** A value to copy. The label may be the word of another product. */
export function Copyable({ label, text, isLong = false }: { label: string; text: string; isLong?: boolean }) {
  return (
    <div className="grid gap-1.5">
      <p className="text-sm font-medium">
        <bdi>{label}</bdi>
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <code
          dir="ltr"
          className="min-w-0 flex-1 basis-52 rounded border bg-sunken px-3 py-2 text-start text-sm break-all select-all"
        >
          {isLong ? <span className="line-clamp-2">{text}</span> : text}
        </code>
        <CopyButton text={text} />
      </div>
    </div>
  )
}
