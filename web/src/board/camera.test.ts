import { describe, expect, it } from "vitest";
import { CELL, COMFORTABLE_CELL_PX, firstSight, fitting, pannable, panned, showing, zoomed } from "./camera";

const desktop = { columns: 16, rows: 12, width: 900, height: 700 };
const wideOnPhone = { columns: 40, rows: 12, width: 390, height: 380 };

describe("the first sight", () => {
  it("is the whole board where cells are large enough", () => {
    const camera = firstSight(desktop, null);
    expect(camera.scale).toBeCloseTo(fitting(desktop));
    expect([camera.x, camera.y]).toEqual([800, 600]);
    expect(pannable(camera, desktop)).toBe(false);
  });

  it("is a part around the focus where they would be too small", () => {
    const camera = firstSight(wideOnPhone, [30, 6]);
    expect(camera.scale * CELL).toBeCloseTo(COMFORTABLE_CELL_PX);
    expect(camera.x).toBeCloseTo(3050);
    expect(pannable(camera, wideOnPhone)).toBe(true);
  });

  it("is the whole board where nothing has the focus", () => {
    expect(firstSight(wideOnPhone, null).scale).toBeCloseTo(fitting(wideOnPhone));
  });

  it("does not look beyond the border", () => {
    const camera = firstSight(wideOnPhone, [0, 0]);
    expect(camera.x - wideOnPhone.width / camera.scale / 2).toBeGreaterThanOrEqual(-12.001);
  });
});

describe("moving", () => {
  const camera = firstSight(wideOnPhone, [20, 6]);

  it("pans with the finger and stops at the border", () => {
    expect(panned(camera, wideOnPhone, 32, 0).x).toBeCloseTo(camera.x - CELL);
    expect(panned(camera, wideOnPhone, 99999, 0).x).toBeCloseTo(wideOnPhone.width / camera.scale / 2 - 12);
  });

  it("zooms around the finger, and no further out than the whole board", () => {
    const nearer = zoomed(camera, wideOnPhone, 2, 100, 0);
    expect(nearer.x + 100 / nearer.scale).toBeCloseTo(camera.x + 100 / camera.scale);
    expect(zoomed(camera, wideOnPhone, 0.0001).scale).toBeCloseTo(fitting(wideOnPhone));
  });

  it("follows a cell that leaves the sight, and rests while it is inside", () => {
    expect(showing(camera, wideOnPhone, [21, 6])).toBe(camera);
    expect(showing(camera, wideOnPhone, [35, 6]).x).toBeCloseTo(3382, -2);
  });
});
