import { __ } from 'pentad/admin/i18n.ts'
import { formatMilliseconds, formatNumber } from 'pentad/admin/parts/format.ts'
import type { AssetType, Metric, MetricId, Rating } from './types.ts'

export const METRIC_TEXTS: Readonly<Record<MetricId, { name: string; description: string }>> = {
  LCP: {
    name: __('Largest Contentful Paint', 'pentad'),
    description: __('Time until the largest element is visible', 'pentad'),
  },
  INP: {
    name: __('Interaction to Next Paint', 'pentad'),
    description: __('Time until the page responds to a tap, click, or key press', 'pentad'),
  },
  CLS: {
    name: __('Cumulative Layout Shift', 'pentad'),
    description: __('How much the layout shifts while the page is open', 'pentad'),
  },
  FCP: {
    name: __('First Contentful Paint', 'pentad'),
    description: __('Time until the first content is visible', 'pentad'),
  },
  TTFB: { name: __('Time to First Byte', 'pentad'), description: __('Time until the server responds', 'pentad') },
}

export const RATINGS: Readonly<Record<Rating, { label: string; color: string }>> = {
  good: { label: __('Good', 'pentad'), color: 'teal' },
  'needs-improvement': { label: __('Needs improvement', 'pentad'), color: 'yellow' },
  poor: { label: __('Poor', 'pentad'), color: 'red' },
}

export const ASSET_TYPES: Readonly<Record<AssetType, string>> = {
  css: __('CSS', 'pentad'),
  js: __('JavaScript', 'pentad'),
  image: __('Images', 'pentad'),
  font: __('Fonts', 'pentad'),
}

export const DEVICES: Readonly<Record<string, string>> = {
  mobile: __('Mobile', 'pentad'),
  tablet: __('Tablet', 'pentad'),
  desktop: __('Desktop', 'pentad'),
}

/** `1.2 s`, `340 ms`, `0.08` */
export function formatMetric(value: number | null, unit: Metric['unit']): string {
  if (value === null) return '–'
  return unit === 'ms' ? formatMilliseconds(value) : formatNumber(Math.round(value * 1000) / 1000)
}
