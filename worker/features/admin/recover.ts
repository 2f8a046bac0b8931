import type { JobFacts } from '../../identity/model/job-kind.ts'
import { costOfRun, recover } from '../../identity/recovery/recovery.ts'
import { type Recovery, recoverKind } from '../../identity/recovery/recovery-job.ts'
import type { Scope } from '../../identity/scope.ts'
import { minutes } from '../../kit/time.ts'

/** The job of `gatehouse recover`. The command line writes it, without the secret, so it is not sealed. */
export const recoverJobs = {
  [recoverKind]: {
    run: (scope: Scope, recovery: Recovery, { id }: JobFacts) => recover(scope, recovery, id),
    ...{ cost: costOfRun, timeout: minutes(2), parallel: 1, batchSize: 1, pauses: [minutes(1)] },
  },
}
