import { type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'

/** How long (ms) an editor may take to write its files. */
const pause = 50

/** A folder and those below it, without what is not source. */
function foldersBelow(folder: string): string[] {
  const inner = readdirSync(folder, { withFileTypes: true }).filter(
    (entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'),
  )
  return [folder, ...inner.flatMap(({ name }) => foldersBelow(join(folder, name)))]
}

/**
 * Calls a function after each change below a folder, also of folders that are added. It runs again when something has
 * changed while it ran.
 */
export function watchBelow(top: string, changed: () => Promise<void>): void {
  const soon = debounced(changed)
  const watchers = new Map<string, FSWatcher>()
  const look = () => {
    const present = new Set(foldersBelow(top))
    for (const folder of present) {
      if (watchers.has(folder)) continue
      const watcher = watch(folder, () => soon(look))
      // The folder was deleted.
      watcher.once('error', () => watcher.close())
      watchers.set(folder, watcher)
    }
    for (const [folder, watcher] of watchers) {
      if (present.has(folder)) continue
      watcher.close()
      watchers.delete(folder)
    }
  }
  look()
}

/** Calls a function after each change of some files of a folder. */
export function watchFiles(folder: string, names: readonly string[], changed: () => Promise<void>): void {
  const soon = debounced(changed)
  watch(folder, (_event, name) => {
    if (name !== null && names.includes(name)) soon()
  })
}

function debounced(changed: () => Promise<void>): (before?: () => void) => void {
  let timer: NodeJS.Timeout | undefined
  let running = Promise.resolve()
  return (before) => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      before?.()
      running = running.then(changed)
    }, pause)
  }
}
