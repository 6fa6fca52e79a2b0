import { __ } from 'pentad/admin/i18n.ts'
import { formatMilliseconds, formatNumber } from 'pentad/admin/parts/format.ts'
import type { AssetType, Metric, MetricId, Rating } from './types.ts'

export const METRIC_TEXTS: Readonly<Record<MetricId, { name: string; says: string }>> = {
  LCP: {
    name: __('Largest Contentful Paint', 'pentad'),
    says: __('How long until the largest part of the page shows', 'pentad'),
  },
  INP: {
    name: __('Interaction to Next Paint', 'pentad'),
    says: __('How long the page takes to answer a tap or a key', 'pentad'),
  },
  CLS: { name: __('Cumulative Layout Shift', 'pentad'), says: __('How much moves while one reads', 'pentad') },
  FCP: { name: __('First Contentful Paint', 'pentad'), says: __('How long until anything shows', 'pentad') },
  TTFB: { name: __('Time to First Byte', 'pentad'), says: __('How long until the server answers', 'pentad') },
}

export const RATINGS: Readonly<Record<Rating, { label: string; color: string }>> = {
  good: { label: __('Good', 'pentad'), color: 'teal' },
  'needs-improvement': { label: __('Needs improvement', 'pentad'), color: 'yellow' },
  poor: { label: __('Poor', 'pentad'), color: 'red' },
}

export const ASSET_TYPES: Readonly<Record<AssetType, string>> = {
  css: __('Styles', 'pentad'),
  js: __('Scripts', 'pentad'),
  image: __('Images', 'pentad'),
  font: __('Fonts', 'pentad'),
}

export const DEVICES: Readonly<Record<string, string>> = {
  mobile: __('Phones', 'pentad'),
  tablet: __('Tablets', 'pentad'),
  desktop: __('Computers', 'pentad'),
}

/** `1.2 s`, `340 ms`, `0.08` */
export function formatMetric(value: number | null, unit: Metric['unit']): string {
  if (value === null) return '–'
  return unit === 'ms' ? formatMilliseconds(value) : formatNumber(Math.round(value * 1000) / 1000)
}
