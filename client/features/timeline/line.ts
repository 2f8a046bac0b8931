import type { ReactNode } from 'react'

/** A user or a thing by its name. Without a name of its own it has its kind. */
export interface Party {
  name: string
  kind?: string
  /** Its screen. */
  href?: string
}

/** Something that happened, in words. */
export interface Line {
  id: string
  date: Date
  words: string
  /** Something was refused or has failed. */
  failed?: boolean
  /** By the session of the reader. */
  here?: boolean
  /** A sign-in: repetition has words of its own. */
  isSignIn?: boolean
  about?: Party
  by?: Party
  /** The browser and the system, or what is known instead. */
  device?: string
  /** The city and the country, the IP address: each runs in its own direction. */
  places: readonly string[]
  /** Below the words: how, or what has changed. */
  more?: ReactNode
  /** The same for lines that differ in their time alone. */
  same: string
  details(): ReactNode
}

type Group = [newest: Line, ...older: Line[]]

/** Lines that follow one another and differ in their time alone are a group. @param lines the newest first */
export function grouped(lines: readonly Line[]): Group[] {
  const groups: Group[] = []
  for (const line of lines) {
    const last = groups.at(-1)
    if (last?.[0].same === line.same) last.push(line)
    else groups.push([line])
  }
  return groups
}
