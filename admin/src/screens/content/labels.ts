import { __ } from '../../i18n.ts'

interface Labeled {
  readonly name: string
  readonly labels: Readonly<Record<string, string | null>>
}

/** A post type or taxonomy in the language of the admin: the server sends English labels. Labels of extensions stay as they are. */
export function translateLabels<Kind extends Labeled>(kind: Kind): Kind {
  const labels = Object.entries(kind.labels).map(([name, label]) => [name, label && __(label, 'pentad')])
  return { ...kind, name: __(kind.name, 'pentad'), labels: Object.fromEntries(labels) }
}
