export const recoverKind = 'recover'
export const recoverAction = 'recover-deployment'

/** The command. */
export interface RecoveryOrder {
  /** Unix time (ms) of the restored state. */
  restoredTo: number
  keep: ('keys' | 'passwords')[]
}

/** The payload of the job: the command and its progress. */
export interface Recovery extends RecoveryOrder {
  step: number
  /** The last row that the step has seen. */
  position: number
  /** The last row of the table when the step began: later rows are new. */
  end: number | null
  /** The number of the recovery's record in the audit log. */
  next: number | null
  /** The end of the deployment's chain at the beginning, for a database whose records are all in the archive. */
  sealed?: { seq: number; hash: string }
  /** Of a page of KV. */
  cursor: string | null
  /** Ended rows by table. */
  counts: Record<string, number>
}
