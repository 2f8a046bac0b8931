import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { cx } from '../lib/cx.ts'
import type { NavigationItem } from './navigation.tsx'

/** A navigation in one line. In a narrow window it scrolls, so that no label breaks in any language. */
export function Tabs({ items, label }: { items: NavigationItem[]; label: string }) {
  const [location] = useLocation()
  // The first tab may be the beginning of the others: only the one with most of the address is marked.
  const [current] = items
    .map(({ path }) => path)
    .filter((path) => location === path || location.startsWith(`${path}/`))
    .sort((a, b) => b.length - a.length)
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => {
    const here = current && list.current?.querySelector('[aria-current]')
    if (here) here.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <nav aria-label={label} className="tabs border-b">
      <ul ref={list} className="-mb-px flex gap-x-1 overflow-x-auto [scrollbar-width:none]">
        {items.map(({ path, label: text, icon: Icon }) => {
          const isHere = path === current
          return (
            <li key={path} className="flex-none">
              <Link
                href={path}
                aria-current={isHere ? 'page' : undefined}
                className={cx(
                  'tab flex min-h-10 items-center gap-2 border-b-2 px-3 whitespace-nowrap -outline-offset-2 max-[30em]:px-2.5',
                  isHere ? 'border-accent font-medium text-ink' : 'border-transparent text-soft hover:text-ink',
                )}
              >
                <Icon aria-hidden size={17} className="flex-none max-[30em]:hidden" />
                {text}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}
