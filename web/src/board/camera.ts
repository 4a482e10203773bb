/** Which part of a board is in sight. Lengths are in units of the board (100 a cell) unless they say pixels. */

export const CELL = 100;
const EDGE = 12; // a little room around the board, for the frame and walls at the border
const SMALLEST_CELL_PX = 20; // smaller ones are neither told apart nor hit: then only a part is shown
export const COMFORTABLE_CELL_PX = 32;
const LARGEST_CELL_PX = 140;

export interface Camera {
  x: number; // the point in the middle
  y: number;
  scale: number; // pixels a unit
}

export interface Sizes {
  columns: number;
  rows: number;
  width: number; // of the window onto the board, in pixels
  height: number;
}

/** The scale at which the whole board is in sight. */
export function fitting(sizes: Sizes): number {
  const across = sizes.width / (sizes.columns * CELL + 2 * EDGE);
  const down = sizes.height / (sizes.rows * CELL + 2 * EDGE);
  return Math.max(0.01, Math.min(across, down));
}

function limits(sizes: Sizes): { least: number; most: number } {
  const least = fitting(sizes);
  return { least, most: Math.max(least, LARGEST_CELL_PX / CELL) };
}

/** The first sight: all of it, or a part around the focus, if there is one, where cells would be too small. */
export function firstSight(sizes: Sizes, focus: readonly [number, number] | null): Camera {
  const least = fitting(sizes);
  const scale = !focus || least * CELL >= SMALLEST_CELL_PX ? least : Math.max(least, COMFORTABLE_CELL_PX / CELL);
  const [column, row] = focus ?? [(sizes.columns - 1) / 2, (sizes.rows - 1) / 2];
  return kept({ x: (column + 0.5) * CELL, y: (row + 0.5) * CELL, scale }, sizes);
}

/** The same camera, with the board in sight and no larger or smaller than it may be. */
export function kept(camera: Camera, sizes: Sizes): Camera {
  const { least, most } = limits(sizes);
  const scale = Math.min(most, Math.max(least, camera.scale));
  return { scale, x: between(camera.x, sizes.columns, sizes.width / scale), y: between(camera.y, sizes.rows, sizes.height / scale) };
}

function between(middle: number, cells: number, seen: number): number {
  const length = cells * CELL;
  if (seen >= length + EDGE) return length / 2;
  return Math.min(length + EDGE - seen / 2, Math.max(seen / 2 - EDGE, middle));
}

/** Larger or smaller by a factor, with one point (pixels from the window's middle) staying where it is. */
export function zoomed(camera: Camera, sizes: Sizes, factor: number, px = 0, py = 0): Camera {
  const { least, most } = limits(sizes);
  const scale = Math.min(most, Math.max(least, camera.scale * factor));
  const x = camera.x + px / camera.scale - px / scale;
  const y = camera.y + py / camera.scale - py / scale;
  return kept({ x, y, scale }, sizes);
}

export function panned(camera: Camera, sizes: Sizes, dx: number, dy: number): Camera {
  return kept({ ...camera, x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale }, sizes);
}

/** Whether there is more than is in sight. */
export function pannable(camera: Camera, sizes: Sizes): boolean {
  return camera.scale > fitting(sizes) * 1.01;
}

/** The camera that has a cell well inside its sight; the same one where it has. */
export function showing(camera: Camera, sizes: Sizes, cell: readonly [number, number]): Camera {
  if (!pannable(camera, sizes)) return camera;
  const [x, y] = [(cell[0] + 0.5) * CELL, (cell[1] + 0.5) * CELL];
  const roomX = Math.max(0, sizes.width / camera.scale / 2 - 1.5 * CELL);
  const roomY = Math.max(0, sizes.height / camera.scale / 2 - 1.5 * CELL);
  if (Math.abs(x - camera.x) <= roomX && Math.abs(y - camera.y) <= roomY) return camera;
  return kept({ ...camera, x, y }, sizes);
}

export function viewBox(camera: Camera, sizes: Sizes): string {
  const width = sizes.width / camera.scale;
  const height = sizes.height / camera.scale;
  return [camera.x - width / 2, camera.y - height / 2, width, height].map((value) => value.toFixed(2)).join(" ");
}
