import { __ } from 'pentad/admin/i18n.ts'

const NAMES: Readonly<Record<string, string>> = {
  copilot: __('Copilot', 'pentad'),
  helpdesk: __('Helpdesk', 'pentad'),
  'related-posts': __('Related posts', 'pentad'),
  'generate-title': __('Titles', 'pentad'),
  'generate-content': __('Content', 'pentad'),
  'generate-tags': __('Tags', 'pentad'),
  'generate-categories': __('Categories', 'pentad'),
  'generate-featured-image': __('Images', 'pentad'),
  test: __('Connection tests', 'pentad'),
}

/** The label of an operation. */
export function nameOfPurpose(operation: string): string {
  return NAMES[operation] ?? operation
}
