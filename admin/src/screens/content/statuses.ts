import { __ } from '../../i18n.ts'

const NAMES: Readonly<Record<string, string>> = {
  publish: __('Published', 'pentad'),
  future: __('Scheduled', 'pentad'),
  draft: __('Draft', 'pentad'),
  pending: __('Pending review', 'pentad'),
  private: __('Private', 'pentad'),
  trash: __('Trash', 'pentad'),
}

const COLORS: Readonly<Record<string, string>> = {
  publish: 'teal',
  future: 'blue',
  draft: 'gray',
  pending: 'orange',
  private: 'violet',
  trash: 'red',
}

/** In the order of the tabs above a list. */
export const STATUSES = Object.keys(NAMES)
export const statusName = (status: string): string => NAMES[status] ?? status
export const statusColor = (status: string): string => COLORS[status] ?? 'gray'
