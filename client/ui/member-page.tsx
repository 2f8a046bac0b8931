import { createContext, type ReactNode, useContext, useLayoutEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { PageShown, useNamedPart } from '../lib/address.ts'
import { cx } from '../lib/cx.ts'
import { frameAt } from '../lib/given.ts'
import { useTexts } from '../lib/texts/texts.ts'
import type { NavigationItem } from './navigation.tsx'
import { Heading, PageTitle, Words } from './page.tsx'
import { Section } from './section.tsx'
import { Bars } from './state.tsx'
import { Tabs } from './tabs.tsx'
import { Waiting } from './waiting.ts'

/** The screens that belong to the one of the address, from the navigation. */
export const PageTabs = createContext<NavigationItem[]>([])

/** A signed-in screen: a title, an introduction, and sections that appear together. */
export function Page({
  title,
  intro,
  trail,
  picture,
  actions,
  wide,
  tabs,
  toCome,
  children,
}: {
  title: string
  /** Above the title: the way back to the list that contains this screen. */
  trail?: ReactNode
  /** Next to the title. */
  picture?: ReactNode
  intro?: ReactNode
  actions?: ReactNode
  /** A list uses the width of the window. */
  wide?: boolean
  /** Its own tabs, in place of those of the navigation; `true` keeps their place until they are known. */
  tabs?: NavigationItem[] | boolean | undefined
  /** Its code is loading. */
  toCome?: boolean
  children?: ReactNode
}) {
  const t = useTexts()
  const ofNavigation = useContext(PageTabs)
  const items = Array.isArray(tabs) ? tabs : ofNavigation
  return (
    <div className={cx('grid grid-cols-1 gap-6', !wide && 'max-w-3xl')}>
      {trail}
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div className={picture ? 'flex min-w-0 flex-1 basis-72 items-start gap-4' : 'contents'}>
          {picture}
          <div className="grid min-w-0 gap-1 sm:flex-1">
            {toCome ? <Heading>{title}</Heading> : <PageTitle>{title}</PageTitle>}
            {intro && (
              <div className="max-w-prose text-pretty text-soft">
                <Words>{intro}</Words>
              </div>
            )}
          </div>
        </div>
        {actions}
      </div>
      {items.length > 0 ? <Tabs label={t.tabs} items={items} /> : tabs && <span className="h-10 border-b" />}
      {toCome ? <SectionsToCome /> : <Together>{children}</Together>}
    </div>
  )
}

/** The sections that the page of the Worker names, with bars for their content. */
function SectionsToCome() {
  const [location] = useLocation()
  const sections = frameAt(location)?.sections
  if (!sections) return <Bars lines={6} />
  return sections.map((head, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: some have nothing but their place
    <Section key={index} {...head}>
      <Bars />
    </Section>
  ))
}

/** After this time (ms) loaded sections appear before the others. */
const patience = 1500

/**
 * Shows its children when all of them have loaded: sections that appear one by one would move a button that the user is
 * about to press.
 */
function Together({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState(false)
  const waiting = useRef(0)
  const [wait] = useState(() => () => {
    waiting.current++
    return () => {
      waiting.current--
      // A loaded section may wait for more data: it has registered itself by then.
      queueMicrotask(() => waiting.current === 0 && setShown(true))
    }
  })
  useLayoutEffect(() => {
    if (waiting.current === 0) setShown(true)
    const timer = setTimeout(() => setShown(true), patience)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      {!shown && <SectionsToCome />}
      <Waiting value={wait}>
        <div hidden={!shown} className="contents">
          <PageShown value={shown}>
            <NamedPart />
            {children}
          </PageShown>
        </div>
      </Waiting>
    </>
  )
}

/** Scrolls to the part of the page that the address names (`#sessions`), and focuses its heading, or a button. */
function NamedPart(): null {
  useNamedPart((id) => {
    const part = document.getElementById(id)
    part?.scrollIntoView(part.matches('button') ? { block: 'center' } : undefined)
    const target = part?.matches('button') ? part : part?.closest('section')?.querySelector<HTMLElement>('h2')
    target?.focus({ preventScroll: true })
  })
  return null
}
