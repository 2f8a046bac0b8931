import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const count = 20
const seconds = (milliseconds: number) => (milliseconds / 1000).toFixed(1).padStart(7)

/** `npm test -- --slowest`: prints the slowest files at the end, with the slowest test of each. */
export default class Slowest implements Reporter {
  private readonly modules: TestModule[] = []

  onTestModuleEnd(module: TestModule): void {
    this.modules.push(module)
  }

  onTestRunEnd(): void {
    const rows = this.modules
      .map((module) => {
        const { collectDuration, duration, setupDuration } = module.diagnostic()
        const tests = [...module.children.allTests()]
        const took = tests.map((test) => ({ name: test.name, time: test.diagnostic()?.duration ?? 0 }))
        const [slowest] = took.sort((one, other) => other.time - one.time)
        return { module, tests, loading: collectDuration + setupDuration, time: duration + collectDuration, slowest }
      })
      .sort((one, other) => other.time - one.time)
    console.log('\nSlowest files: seconds, of which loading; tests; the slowest test')
    for (const { module, tests, loading, time, slowest } of rows.slice(0, count)) {
      const file = relative(process.cwd(), module.moduleId)
      const most = slowest ? `${(slowest.time / 1000).toFixed(1)} ${slowest.name}` : ''
      console.log(`${seconds(time)} ${seconds(loading)} ${String(tests.length).padStart(4)}  ${file}  ${most}`)
    }
    const all = rows.reduce((sum, { time }) => sum + time, 0)
    console.log(`${seconds(all)} in ${rows.length} files`)
  }
}
