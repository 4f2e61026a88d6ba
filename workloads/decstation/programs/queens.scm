; How many ways are there to put 6 queens on a board of 6 by 6? For the Lisp interpreter.
(define (attacked? queen distance placed)
  (and (not (null? placed))
       (or (= (car placed) queen)
           (= (abs (- (car placed) queen)) distance)
           (attacked? queen (+ distance 1) (cdr placed)))))

(define (count-from row size placed)
  (if (= row size)
      1
      (let loop ((queen 1) (sum 0))
        (if (> queen size)
            sum
            (loop (+ queen 1)
                  (if (attacked? queen 1 placed)
                      sum
                      (+ sum (count-from (+ row 1) size (cons queen placed)))))))))

(display (count-from 0 6 '()))
(newline)
